import { combined, listed, type Culture } from './culture.js';

const FIRST = listed('小, 建, 志, 文, 晓, 国, 永, 家, 雨, 春, 德, 思, 俊, 海, 天, 美, 玉, 子, 明, 云');
const MALE_LAST = listed('明, 华, 强, 军, 伟, 平, 峰, 杰, 龙, 东, 林, 辉, 鹏, 宇, 山, 涛, 斌, 波');
const FEMALE_LAST = listed('芳, 丽, 红, 英, 兰, 娟, 燕, 梅, 霞, 婷, 雪, 琳, 洁, 凤, 月, 花, 慧, 萍');

/** Chinese names. */
export const CHINESE: Culture = {
  male: ['伟', '小明', '强', '磊', '军', '洋', '勇', ...combined(FIRST, MALE_LAST)],
  female: ['芳', '秀英', '娜', '敏', '静', '丽', '艳', ...combined(FIRST, FEMALE_LAST)],
  surnames: listed(`
    王, 李, 张, 刘, 陈, 杨, 黄, 赵, 吴, 周, 徐, 孙, 马, 朱, 胡, 郭, 何, 林, 高, 罗, 郑, 梁, 谢, 宋, 唐, 许, 邓, 冯, 韩, 曹, 欧阳, 司马, 诸葛, 上官
  `),
  joint: '',
  doubleSurnames: 0.01,
};
