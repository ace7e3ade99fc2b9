import { combined, listed, type Culture } from './culture.js';

const SYLLABLES = listed('Anh, Đức, Quốc, Thanh, Ngọc, Bảo, Minh, Gia, Hữu, Xuân, Phương, Tường, Khánh, Mỹ');
const LAST = listed('Dũng, Hải, Tuấn, Việt, Hằng, Thảo, Trâm, Lộc, Phúc, Vân, Yến, Đạt, Hiếu');

/** Vietnamese names. */
export const VIETNAMESE: Culture = {
  male: [
    ...listed(`
      Văn Hùng, Minh, Đức, Văn Dũng, Quang, Tuấn, Hữu Phước, Văn Thắng, Khôi, Việt, Trọng Nghĩa, Bình, Tiến, Đăng,
      Phú, Sỹ, Thịnh, Lợi, Quý, Trường
    `),
    ...combined(SYLLABLES, LAST, ' '),
  ],
  female: [
    ...listed(`
      Thị Hương, Lan, Thị Hồng, Ngọc, Thị Thủy, Hằng, Mỹ Linh, Thị Nguyệt, Trang, Hạnh, Yến, Thảo, Thị Đào, Ánh,
      Tuyết, Nhung, Phượng, Diễm, Thị Bưởi, Quyên
    `),
    ...combined(SYLLABLES, LAST, ' '),
  ],
  surnames: listed(`
    Nguyễn, Trần, Lê, Phạm, Hoàng, Huỳnh, Phan, Vũ, Võ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý, Đinh, Trương, Lưu, Tạ,
    Đoàn, Mạc, Quách, Lữ, Tống, Phùng, Diệp, Vương, Kiều, Thái
  `),
  joint: ' ',
  doubleSurnames: 0.03,
};
